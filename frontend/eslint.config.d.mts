import type { Linter } from 'eslint';

export const zones: Linter.Config[];
declare const config: Linter.Config[];
export default config;
