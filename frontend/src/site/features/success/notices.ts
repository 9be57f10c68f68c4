/** A file of its own for the page: few people ever see one of these. */
export { DrawnNotice } from './DrawnNotice';
export { HoldNotice } from './HoldNotice';
