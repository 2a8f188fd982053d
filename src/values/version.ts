/** Written by `npm run schema` from package.json. */
export const version = "0.1.0";
