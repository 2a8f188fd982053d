/**
 * An expression for the browser that returns the page's texts with a contrast below 4.5 to 1, as WCAG 2.2 computes it.
 * A string, because the tests have no types of the DOM.
 */
export const poorContrasts = /* javascript */ `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map((channel) => channel / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4))
    .reduce((sum, channel, index) => sum + channel * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    const colour = channels(getComputedStyle(element).backgroundColor);
    return colour[3] === 0 ? ground(element.parentElement) : colour;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const poor = [];
  let seen = 0;
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (textContent.trim() === "" || !parentElement.checkVisibility()) continue;
    seen += 1;
    const style = getComputedStyle(parentElement);
    const colour = channels(parentElement.tagName === "text" ? style.fill : style.color);
    const contrast = ratio(luminance(colour), luminance(ground(parentElement)));
    if (contrast < 4.5) poor.push(textContent.trim() + ": " + contrast.toFixed(2));
  }
  return { seen, poor };
})()`;
