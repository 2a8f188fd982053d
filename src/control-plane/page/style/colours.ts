/** Marks the text as CSS for editors and formatters. */
export const css = String.raw;

/** Light and dark, as the browser prefers. Every text has a contrast of at least 4.5 to 1 on its ground. */
export const colours = css`
  :root {
    color-scheme: light dark;
    --ground: #f5f6f7;
    --surface: #ffffff;
    --line: #dfe3e8;
    --edge: #8a95a3;
    --hover: #edf0f3;
    --text: #1b2430;
    --quiet: #586574;
    --accent: #2563a8;
    --on-accent: #ffffff;
    --committed: #17633a;
    --committed-ground: #e0f3e7;
    --read-ground: #edf0f3;
    --refused: #85500a;
    --refused-ground: #fdf0d5;
    --fault: #a32020;
    --fault-ground: #fce5e3;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #12161b;
      --surface: #1a2027;
      --line: #303a45;
      --edge: #6c7987;
      --hover: #28313b;
      --text: #e4e9ee;
      --quiet: #9ba8b6;
      --accent: #6ca6e8;
      --on-accent: #12161b;
      --committed: #7fd3a0;
      --committed-ground: #16352a;
      --read-ground: #28313b;
      --refused: #edbe6c;
      --refused-ground: #3a2e15;
      --fault: #f59c94;
      --fault-ground: #42201f;
    }
  }
`;
