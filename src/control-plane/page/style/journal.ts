import { css } from "./colours.js";

/** The requests, and what stands in their place before the first one. */
export const journal = css`
  #journal-scroller {
    overflow-y: auto;
  }
  .journal:has(#journal-rows tr) #start,
  .journal:not(:has(#journal-rows tr)) table {
    display: none;
  }
  .journal th {
    white-space: nowrap;
  }
  .journal th:first-child {
    width: 1px;
  }
  .journal th:last-child {
    width: 24%;
  }
  .when {
    color: var(--quiet);
    white-space: nowrap;
  }
  .reason {
    display: block;
    color: var(--refused);
    font-size: 14px;
  }
  .origin {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    column-gap: 10px;
    color: var(--quiet);
    font-size: 13px;
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

  #start {
    display: grid;
    gap: 8px;
    padding: 8px 0;
  }
  .lines {
    display: flex;
    align-items: start;
    justify-content: space-between;
    padding: 10px 10px 10px 14px;
    border-radius: 6px;
    background: var(--ground);
  }
  .lines code {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  @media (min-width: 900px) {
    .journal {
      position: sticky;
      top: 16px;
    }
    #journal-scroller {
      max-height: calc(100vh - 100px);
    }
  }
`;
