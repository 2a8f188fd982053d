export { teardown as default } from "./jest-setup";
