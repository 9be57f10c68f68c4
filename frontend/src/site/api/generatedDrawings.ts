import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDrawings: build.query<ListDrawingsApiResponse, ListDrawingsApiArg>({
      query: (queryArg) => ({
        url: `/api/drawings`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getOwnLeaf: build.query<GetOwnLeafApiResponse, GetOwnLeafApiArg>({
      query: (queryArg) => ({
        url: `/api/drawings/${encodeURIComponent(String(queryArg.id))}/own-leaf`,
      }),
    }),
    getDrawingProof: build.query<
      GetDrawingProofApiResponse,
      GetDrawingProofApiArg
    >({
      query: (queryArg) => ({
        url: `/api/drawings/${encodeURIComponent(String(queryArg.id))}/proof`,
      }),
    }),
    getCommitment: build.query<GetCommitmentApiResponse, GetCommitmentApiArg>({
      query: (queryArg) => ({
        url: `/api/raffles/${encodeURIComponent(String(queryArg.landingPage))}/commitment`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ListDrawingsApiResponse =
  /** status 200 undefined */ PublicDrawingView[];
export type ListDrawingsApiArg = {
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type GetOwnLeafApiResponse = /** status 200 undefined */ OwnLeafView;
export type GetOwnLeafApiArg = {
  id: number;
};
export type GetDrawingProofApiResponse = /** status 200 undefined */ ProofView;
export type GetDrawingProofApiArg = {
  id: number;
};
export type GetCommitmentApiResponse =
  /** status 200 undefined */ CommitmentView;
export type GetCommitmentApiArg = {
  landingPage: LandingPageView;
};
export type LandingPageView =
  "garden-bag" | "fresh-sips" | "kitchen-garden" | "sustainable-living";
export type PublicDrawingView = {
  createdAt: string;
  id: number;
  landingPage: LandingPageView;
  totalEntries: number;
  totalParticipants: number;
  /** The last four digits of the winner's phone number. */
  winnerLast4: string;
  winningEntryNumber: number;
};
export type ErrorView = {
  /** The same for a program. */
  code: string;
  /** A sentence for a person. */
  error: string;
  /** What is wrong with each field, for `validation` only. */
  fields?:
    | {
        [key: string]: string[];
      }
    | {
        [key: string]: string[];
      };
};
export type LeafView = {
  blindedId: string;
  firstEntry: number;
  index: number;
  weight: number;
};
export type OwnLeafView = {
  entrantId: number;
  leaf: LeafView;
  /** The sibling hashes on the path to the root, the lowest first. */
  path: string[];
  /** The blinded id is computed from the id and this salt. */
  salt: string;
};
export type ProvenLeafView = {
  leaf: LeafView;
  path: string[];
};
export type ProofView = {
  auditLogHash: string;
  /** The SHA-256 of the seed, published before the drawing. */
  commitment: string;
  /** When the commitment was published, in UTC with microseconds. */
  committedAt: string;
  drawing: number;
  drawnAt: string;
  landingPage: string;
  /** The last leaf, which proves the number of leaves. */
  last: ProvenLeafView;
  /** The root of the tree of all entrants. */
  root: string;
  scheme: string;
  seed: string;
  /** The source of the seed: `os`. */
  seedSource: string;
  totalEntries: number;
  totalParticipants: number;
  verificationHash: string;
  winner: ProvenLeafView;
  /** The last four digits of the winner's phone number. */
  winnerLast4: string;
  winningEntryNumber: number;
};
export type CommitmentView = {
  /** The SHA-256 of the next drawing's seed. */
  commitment: string;
  committedAt: string;
  landingPage: LandingPageView;
  /** The source of the seed: `os`. */
  seedSource: string;
};
export const {
  useListDrawingsQuery,
  useGetOwnLeafQuery,
  useGetDrawingProofQuery,
  useGetCommitmentQuery,
} = injectedRtkApi;
