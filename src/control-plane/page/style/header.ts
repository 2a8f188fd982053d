import { css } from "./colours.js";

/** The title, the filter and the buttons, and what is set just now. */
export const header = css`
  header {
    display: grid;
    gap: 12px;
    padding-top: 20px;
    padding-bottom: 16px;
  }
  .title {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 4px 16px;
  }
  #about,
  #connection {
    color: var(--quiet);
  }
  #about {
    margin-top: -10px;
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
  .toolbar,
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .toolbar [role="search"] {
    flex: 1 1 240px;
  }
  #filter {
    width: 100%;
  }
  #conditions {
    display: grid;
    gap: 8px;
  }
  #conditions:empty,
  #trouble:empty {
    display: none;
  }
  #trouble,
  .condition {
    padding: 10px 10px 10px 14px;
    border-radius: 8px;
  }
  .condition {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
  }
  .condition ul {
    margin: 0;
    padding-left: 20px;
  }
  .condition button {
    border-color: currentColor;
    background: none;
    color: inherit;
  }
  .condition.clock {
    background: var(--refused-ground);
    color: var(--refused);
  }
  #trouble,
  .condition.fault {
    background: var(--fault-ground);
    color: var(--fault);
  }
  @media (scripting: none) {
    .toolbar,
    .condition button,
    .copy {
      display: none;
    }
  }
`;
