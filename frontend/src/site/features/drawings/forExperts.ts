/** What stands in the folds of a drawing's page: a file that nobody waits for. */
export { Published } from './Published';
export { Timeline } from './Timeline';
export { WhatItShows } from './WhatItShows';
