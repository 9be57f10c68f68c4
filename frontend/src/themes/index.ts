export { generic } from './generic';
export type * from './types';
