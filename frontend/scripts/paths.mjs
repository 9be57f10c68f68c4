import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export const publicDir = at('../public');
/** What the server serves. */
export const distDir = at('../dist');
/** What only the build itself reads. */
export const buildDir = at('../node_modules/.cache/tombola');
