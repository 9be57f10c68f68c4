// Packages of npm for scripts that need one. They are among those of the client, so nothing else has to be installed.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(new URL('../frontend/package.json', import.meta.url));

/** The module of a package in frontend/node_modules. */
export const installed = (name) => import(pathToFileURL(resolve(name)));
