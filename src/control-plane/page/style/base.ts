import { css } from "./colours.js";

/** Text, focus, buttons and fields, and the two columns. */
export const base = css`
  * {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  body {
    margin: 0;
    background: var(--ground);
    color: var(--text);
    font:
      15px/1.45 system-ui,
      -apple-system,
      "Segoe UI",
      Roboto,
      "Noto Sans",
      sans-serif;
  }
  h1,
  h2,
  p,
  pre {
    margin: 0;
  }
  h1 {
    font-size: 20px;
  }
  h2 {
    font-size: 16px;
  }
  a {
    color: var(--accent);
  }
  code,
  .id,
  .range {
    font:
      12.5px/1.5 ui-monospace,
      "SF Mono",
      Consolas,
      "Liberation Mono",
      "DejaVu Sans Mono",
      monospace;
  }
  time {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .unseen:not(:focus) {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .skip {
    position: absolute;
    z-index: 1;
    padding: 8px 12px;
    background: var(--surface);
  }
  .note,
  .none,
  .count {
    color: var(--quiet);
  }
  .note {
    font-size: 13px;
  }
  .note:empty {
    display: none;
  }

  button,
  input,
  select {
    min-height: 34px;
    padding: 5px 12px;
    border: 1px solid var(--edge);
    border-radius: 6px;
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-size: 14px;
  }
  button {
    cursor: pointer;
  }
  button:hover {
    background: var(--hover);
  }
  input::placeholder {
    color: var(--quiet);
    opacity: 1;
  }
  button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }
  button.danger {
    border-color: var(--fault);
    background: var(--fault-ground);
    color: var(--fault);
  }

  header,
  main {
    max-width: 1280px;
    margin: 0 auto;
    padding: 0 24px;
  }
  main,
  .organization {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  main {
    padding-bottom: 24px;
  }
  @media (min-width: 900px) {
    main {
      grid-template-columns: minmax(0, 11fr) minmax(0, 10fr);
      align-items: start;
    }
  }
`;
