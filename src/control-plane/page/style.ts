import { colours, css } from "./colours.js";

/** No colour says anything that a word or a sign does not say too. */
export const style = css`
  ${colours}

  * {
    box-sizing: border-box;
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
    padding: 8px 12px;
    background: var(--surface);
    color: var(--accent);
  }

  header,
  main {
    max-width: 1280px;
    margin: 0 auto;
    padding: 0 24px;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 16px;
    padding-top: 24px;
    padding-bottom: 16px;
  }
  h1 {
    margin: 0;
    font-size: 20px;
  }
  header p {
    margin: 0;
    color: var(--quiet);
  }
  .shifted {
    color: var(--refused);
  }
  #connection {
    margin-left: auto;
  }
  #connection::before {
    content: "";
    display: inline-block;
    width: 8px;
    height: 8px;
    margin-right: 7px;
    border: 2px solid var(--quiet);
    border-radius: 50%;
  }
  #connection.live::before {
    border-color: var(--committed);
    background: var(--committed);
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
  section {
    padding: 16px 20px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
  }
  h2 {
    margin: 0 0 4px;
    font-size: 16px;
  }
  .note {
    margin: 8px 0 0;
    color: var(--quiet);
    font-size: 13px;
  }

  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 8px 16px 8px 0;
    border-top: 1px solid var(--line);
    font-weight: normal;
    text-align: left;
    vertical-align: top;
    overflow-wrap: anywhere;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  thead th {
    border-top: 0;
    color: var(--quiet);
    font-size: 13px;
  }
  tbody th {
    font-weight: 600;
  }
  .id,
  .range,
  code {
    font:
      12.5px/1.5 ui-monospace,
      "SF Mono",
      Consolas,
      "Liberation Mono",
      "DejaVu Sans Mono",
      monospace;
  }
  .id,
  .detail,
  .value {
    color: var(--quiet);
    font-weight: normal;
  }
  tbody .id,
  .detail,
  .value {
    display: block;
    font-size: 13px;
  }
  tbody .id {
    font-size: 12px;
  }
  td.none,
  .none td {
    color: var(--quiet);
  }
  time {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  #networks td,
  #trunks td,
  #webhooks td,
  #networks th + th,
  #trunks th + th,
  #webhooks th + th {
    width: 42%;
  }

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

  #journal-scroller {
    overflow-y: auto;
  }
  .journal th {
    white-space: nowrap;
  }
  .journal code {
    margin-right: 6px;
  }
  .caller {
    display: inline-block;
  }
  .journal th:first-child {
    width: 1px;
  }
  .journal th:last-child {
    width: 27%;
  }
  .journal td:first-child {
    color: var(--quiet);
  }
  .journal .none:not(:only-child) {
    display: none;
  }
  .verdict {
    display: inline-block;
    padding: 0 8px;
    border-radius: 4px;
    font-size: 13px;
    font-weight: 600;
    white-space: nowrap;
  }
  .verdict::before {
    margin-right: 6px;
  }
  .verdict.committed {
    background: var(--committed-ground);
    color: var(--committed);
  }
  .verdict.committed::before {
    content: "✓" / "";
  }
  .verdict.read {
    background: var(--read-ground);
    color: var(--text);
  }
  .verdict.read::before {
    content: "·" / "";
  }
  .verdict.refused {
    background: var(--refused-ground);
    color: var(--refused);
  }
  .verdict.refused::before {
    content: "✕" / "";
  }
  .verdict.fault {
    background: var(--fault-ground);
    color: var(--fault);
  }
  .verdict.fault::before {
    content: "!" / "";
  }
  @media (prefers-reduced-motion: no-preference) {
    .fresh td {
      animation: fresh 2s ease-out;
    }
    @keyframes fresh {
      from {
        background: var(--committed-ground);
      }
    }
  }

  @media (min-width: 900px) {
    main {
      grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
      align-items: start;
    }
    .journal {
      position: sticky;
      top: 16px;
    }
    #journal-scroller {
      max-height: calc(100vh - 130px);
    }
  }
  @media (max-width: 480px) {
    header,
    main {
      padding-right: 12px;
      padding-left: 12px;
    }
    section {
      padding: 12px;
    }
    th,
    td {
      padding-right: 10px;
    }
    #connection {
      margin-left: 0;
    }
    #retention th:first-child {
      width: 124px;
    }
  }
  @media print {
    .skip,
    #connection {
      display: none;
    }
    #journal-scroller {
      max-height: none;
    }
  }
`;
