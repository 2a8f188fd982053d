import { css } from "./colours.js";

/** On a phone rows stack, and nothing scrolls but the page. On paper there is nothing to press. */
export const narrow = css`
  @media (max-width: 560px) {
    header,
    main {
      padding-right: 12px;
      padding-left: 12px;
    }
    section {
      padding: 12px 14px 14px;
    }
    .buttons {
      flex: 1 1 100%;
    }
    .buttons button {
      flex: 1 1 auto;
      padding: 5px 8px;
    }
    tbody,
    tbody tr {
      display: block;
    }
    tbody tr {
      padding: 10px 0;
      border-top: 1px solid var(--line);
    }
    tbody th,
    tbody td {
      display: block;
      padding: 0;
      border: 0;
    }
    #retention thead,
    #retention thead tr,
    #retention thead th {
      display: block;
      width: 100%;
      padding: 0;
    }
    .bar {
      height: 28px;
    }
    #retention thead th:first-child,
    section:not(:has(#retention)) thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .organization td.identity,
    .organization tbody th {
      width: auto;
    }
    #networks tr,
    #trunks tr,
    #webhooks tr {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 2px 12px;
    }
    .organization tbody th {
      grid-column: 1 / -1;
    }
    .journal tbody tr {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 4px 12px;
    }
    .journal .when,
    .journal .ending {
      grid-row: 1;
    }
    .journal .ending {
      grid-column: 1;
    }
    .journal .when {
      grid-column: 2;
      text-align: right;
      white-space: normal;
    }
    .journal .request {
      grid-column: 1 / -1;
    }
    .journal .ending .detail,
    .journal .when .detail {
      display: inline;
    }
    .journal .when .detail {
      margin-left: 8px;
      white-space: nowrap;
    }
  }
  @media print {
    .skip,
    .toolbar,
    .copy,
    .more,
    #connection {
      display: none;
    }
    #journal-scroller {
      max-height: none;
    }
  }
`;
