import { css } from "./colours.js";

const icon = (path: string): string =>
  `url("data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="black" stroke-width="1.5">${path}</svg>`,
  )}")`;
const copyIcon = icon('<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5v-3h-8v8h3"/>');
const copiedIcon = icon('<path d="M2.5 8.5l3.5 3.5 7.5-8"/>');

/** Sections, their headings and tables, ids, and what ends a list. */
export const lists = css`
  section {
    padding: 14px 20px 16px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
  }
  .heading {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 12px;
    margin-bottom: 4px;
  }
  .count {
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  section > .note,
  #journal-note {
    margin-top: 10px;
  }
  .none {
    padding: 8px 0;
  }
  .more {
    width: 100%;
    margin-top: 12px;
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
  .detail,
  .value {
    display: block;
    color: var(--quiet);
    font-size: 13px;
    font-weight: normal;
  }
  .organization tbody th {
    font-size: 14.5px;
  }
  #networks th:nth-child(2) {
    width: 31%;
  }
  #trunks th:nth-child(2) {
    width: 37%;
  }
  #webhooks th:nth-child(2) {
    width: 30%;
  }
  td.identity {
    width: 1px;
    white-space: nowrap;
  }

  /* Only looks shorter: a search, a selection and a screen reader find all of it. */
  .id {
    display: inline-block;
    color: var(--quiet);
    white-space: nowrap;
  }
  .id .head {
    display: inline-block;
    max-width: 9.1ch;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: bottom;
  }
  .copy {
    width: 24px;
    height: 24px;
    min-height: 0;
    margin: -2px 0 -2px 2px;
    padding: 0;
    border: 0;
    background: none;
    vertical-align: middle;
  }
  .copy::before {
    content: "";
    display: block;
    width: 14px;
    height: 14px;
    margin: auto;
    background: var(--quiet);
    mask: ${copyIcon} center / contain no-repeat;
  }
  .copy:hover::before {
    background: var(--accent);
  }
  .copy.copied::before {
    background: var(--committed);
    mask-image: ${copiedIcon};
  }
`;
