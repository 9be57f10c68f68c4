export const proofPath = (id: number) => `/api/drawings/${id}/proof`;
export const entrantsPath = (id: number) => `/api/drawings/${id}/entrants`;
/** The entries of the log after this one. */
export const logPath = (after: number) => `/api/drawings/log?after=${after}`;
