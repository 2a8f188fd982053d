import { css } from "./colours.js";

/** The bars and their scale. */
export const retention = css`
  #retention th:first-child {
    width: 148px;
    overflow-wrap: normal;
  }
  #retention svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  .scale {
    height: 16px;
    fill: var(--quiet);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  .bar {
    height: 40px;
  }
  .bar line {
    stroke: var(--line);
  }
  .bar .enabled {
    fill: var(--accent);
  }
  .bar .disabled {
    fill: none;
    stroke: var(--accent);
    stroke-dasharray: 4 3;
  }
`;
