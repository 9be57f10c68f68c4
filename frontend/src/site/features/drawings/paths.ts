export const proofPath = (id: number) => `/api/drawings/${id}/proof`;
export const entrantsPath = (id: number) => `/api/drawings/${id}/entrants`;
/** What a raffle says in one of its versions, as the log names it. */
export const versionPath = (raffle: string, number: number) =>
  `/api/raffles/${raffle}/versions/${number}`;
/** The entries of the log after this one. */
export const logPath = (after: number) => `/api/drawings/log?after=${after}`;
