import { css } from "./colours.js";

/** What the buttons at the top open. */
export const dialogs = css`
  dialog {
    width: 420px;
    max-width: calc(100vw - 24px);
    padding: 20px 24px 24px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 12px 40px rgb(0 0 0 / 0.25);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.4);
  }
  dialog form {
    display: grid;
    gap: 14px;
  }
  dialog label {
    display: grid;
    gap: 4px;
  }
  dialog input,
  dialog select {
    width: 100%;
  }
  .steps {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
    margin-top: 6px;
  }
`;
