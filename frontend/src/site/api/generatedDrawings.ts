import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDrawings: build.query<ListDrawingsApiResponse, ListDrawingsApiArg>({
      query: (queryArg) => ({
        url: `/api/drawings`,
        params: {
          landingPage: queryArg.landingPage,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getDrawingFeed: build.query<
      GetDrawingFeedApiResponse,
      GetDrawingFeedApiArg
    >({
      query: () => ({ url: `/api/drawings/feed` }),
    }),
    getDrawingLog: build.query<GetDrawingLogApiResponse, GetDrawingLogApiArg>({
      query: (queryArg) => ({
        url: `/api/drawings/log`,
        params: {
          after: queryArg.after,
        },
      }),
    }),
    getPublicDrawing: build.query<
      GetPublicDrawingApiResponse,
      GetPublicDrawingApiArg
    >({
      query: (queryArg) => ({
        url: `/api/drawings/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    bringRound: build.mutation<BringRoundApiResponse, BringRoundApiArg>({
      query: (queryArg) => ({
        url: `/api/drawings/${encodeURIComponent(String(queryArg.id))}/beacon`,
        method: "POST",
        body: queryArg.beaconBody,
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
    listPublicRaffles: build.query<
      ListPublicRafflesApiResponse,
      ListPublicRafflesApiArg
    >({
      query: () => ({ url: `/api/raffles` }),
    }),
    getPublicRaffle: build.query<
      GetPublicRaffleApiResponse,
      GetPublicRaffleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/raffles/${encodeURIComponent(String(queryArg.landingPage))}`,
      }),
    }),
    getRaffleVersion: build.query<
      GetRaffleVersionApiResponse,
      GetRaffleVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/raffles/${encodeURIComponent(String(queryArg.landingPage))}/versions/${encodeURIComponent(String(queryArg.n))}`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ListDrawingsApiResponse =
  /** status 200 undefined */ PublicDrawingView[];
export type ListDrawingsApiArg = {
  /** Only of this raffle; without it, or with `all`, of all raffles. */
  landingPage?: LandingPageView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type GetDrawingFeedApiResponse = /** status 200 undefined */ string;
export type GetDrawingFeedApiArg = void;
export type GetDrawingLogApiResponse = /** status 200 undefined */ string;
export type GetDrawingLogApiArg = {
  /** The number of the last entry that the client has; 0 without it. */
  after?: number;
};
export type GetPublicDrawingApiResponse =
  /** status 200 undefined */ PublicDrawingView;
export type GetPublicDrawingApiArg = {
  id: number;
};
export type BringRoundApiResponse =
  /** status 200 undefined */ PublicDrawingView;
export type BringRoundApiArg = {
  id: number;
  beaconBody: BeaconBody;
};
export type GetOwnLeafApiResponse = /** status 200 undefined */ OwnLeafView;
export type GetOwnLeafApiArg = {
  id: number;
};
export type GetDrawingProofApiResponse = /** status 200 undefined */ ProofView;
export type GetDrawingProofApiArg = {
  id: number;
};
export type ListPublicRafflesApiResponse =
  /** status 200 undefined */ PublicRafflesView;
export type ListPublicRafflesApiArg = void;
export type GetPublicRaffleApiResponse =
  /** status 200 undefined */ PublicRaffleView;
export type GetPublicRaffleApiArg = {
  landingPage: LandingPageView;
};
export type GetRaffleVersionApiResponse =
  /** status 200 undefined */ ContentView;
export type GetRaffleVersionApiArg = {
  landingPage: LandingPageView;
  n: number;
};
export type BeaconStateView = {
  /** The hash of the beacon's chain. */
  chainHash: string;
  /** The time of the round. */
  expectedAt: string;
  round: number;
  /** Since when a sealed drawing has waited for the round. */
  waitingSince?: string | null;
};
export type RejectionReasonView =
  | "underage"
  | "residence"
  | "affiliated"
  | "fraud"
  | "payment_reversed"
  | "false_details";
export type ClaimRecordStatusView =
  | "awaiting"
  | "claimed"
  | "delivered"
  | "declined"
  | "expired"
  | "unreachable"
  | "rejected";
export type VerificationMethodView = "code" | "call" | "visitor_token";
export type ClaimRecordView = {
  /** How many people confirmed the number after a call: 1 or 2. */
  confirmedBy?: number | null;
  /** How many people decided it: 1 or 2. */
  decidedBy?: number | null;
  /** Only if the winner agreed. */
  firstName?: string | null;
  /** 0 for the entry that was drawn first. */
  rank: number;
  reason?: RejectionReasonView | null;
  /** Only if the winner agreed. */
  state?: string | null;
  status: ClaimRecordStatusView;
  /** The deadline of a claim that is awaited; while the winner can object to a rejection, the end of that time. */
  until?: string | null;
  verifiedBy?: VerificationMethodView | null;
};
export type DrawingKindView = "regular" | "additional";
export type LandingPageView = string;
export type PrizeView = {
  name: string;
  value: string;
};
export type DrawingStatusView = "announced" | "sealed" | "drawn" | "void";
export type HostAnswerView = {
  answer: string;
  host: string;
};
export type VoidView = {
  at: string;
  /** What the hosts of the beacon answered then. */
  hosts: HostAnswerView[];
  reason: string;
  /** The entry that would have won, when the round came after the seal of the drawing with the same list. */
  wouldHaveWon?: number | null;
};
export type PublicDrawingView = {
  beacon?: BeaconStateView | null;
  /** The claims so far, by rank. */
  claims: ClaimRecordView[];
  createdAt: string;
  drawnAt?: string | null;
  id: number;
  /** Whether nobody of all ranks claimed the prize. */
  isUnclaimed: boolean;
  kind: DrawingKindView;
  landingPage: LandingPageView;
  /** The calendar month that it belongs to. */
  period: string;
  /** What is drawn, as it was announced. */
  prize: PrizeView;
  /** Why there is an additional drawing. */
  reason?: string | null;
  /** The void drawing whose list this one takes. */
  replaces?: number | null;
  sealedAt?: string | null;
  status: DrawingStatusView;
  totalEntries?: number | null;
  totalParticipants?: number | null;
  void?: VoidView | null;
  /** How many drawings of this raffle are void. */
  voids: number;
  /** The last four digits of the winner's phone number. */
  winnerLast4?: string | null;
  winningEntryNumber?: number | null;
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
export type BeaconBody = {
  round: number;
  /** The signature of the round, as the beacon publishes it. */
  signature: string;
};
export type LeafView = {
  blindedId: string;
  firstEntry: number;
  index: number;
  weight: number;
};
export type LogHeadView = {
  hash: string;
  id: number;
};
export type OwnLeafView = {
  /** The id that the list has. */
  entrantId: number;
  leaf: LeafView;
  logHead?: LogHeadView | null;
  /** The sibling hashes on the path to the root, the lowest first. */
  path: string[];
  /** The random bytes behind the tag. Null once they are erased. */
  personSalt?: string | null;
  /** The number that the entrant has now. */
  phoneNumber: string;
  /** The salt of the blinded id. */
  salt: string;
  /** The blinded id is computed from the salt, the id and this tag. */
  tag: string;
};
export type LogEntryView = {
  action: string;
  /** In UTC with microseconds. */
  at: string;
  /** JSON as text, because the hash covers its exact spelling. */
  details: string;
  drawing?: number | null;
  hash: string;
  id: number;
  participantCount?: number | null;
  previous: string;
  randomSeed?: string | null;
  /** The number of the session in the console. */
  session?: number | null;
  verificationHash?: string | null;
};
export type BeaconValueView = {
  /** The hash that names the beacon's chain, or `off`. */
  chainHash: string;
  /** The SHA-256 of the signature; zeros when the beacon is off. Absent before the drawing. */
  randomness?: string | null;
  /** 0 when the beacon is off. */
  round: number;
  /** `null` when the beacon is off. Absent before the drawing. */
  signature?: string | null;
  /** Since when the round is due, while the drawing waits for it. */
  waitingSince?: string | null;
  /** Present when the beacon is off. */
  warning?: string | null;
};
export type ProvenLeafView = {
  leaf: LeafView;
  path: string[];
};
export type LateRoundView = {
  /** The entry that would have won. */
  entryNumber: number;
  /** The signature of the round. */
  signature: string;
};
export type RankView = {
  entryNumber: number;
  leaf: LeafView;
  path: string[];
  /** From 0, the winner. */
  rank: number;
};
export type ProofStatusView = "sealed" | "drawn" | "void";
export type ProofView = {
  announcement: LogEntryView;
  auditLogHash?: string | null;
  beacon: BeaconValueView;
  /** The SHA-256 of the seed, published in the announcement. */
  commitment: string;
  /** When the commitment was published. */
  committedAt: string;
  /** Only entries from before this time count, in UTC with microseconds. */
  cutOff: string;
  drawing: number;
  drawnAt?: string | null;
  /** `regular`, or `additional` for a second drawing in a period. */
  kind: string;
  landingPage: string;
  /** The last leaf, which proves the number of leaves. */
  last: ProvenLeafView;
  lateRound?: LateRoundView | null;
  /** The calendar month that the drawing belongs to. */
  period: string;
  /** The winner and the alternates. */
  ranks?: RankView[] | null;
  /** The root of the tree of all entrants. */
  root: string;
  scheme: string;
  seal: LogEntryView;
  seed: string;
  /** The source of the seed: `os`. */
  seedSource: string;
  status: ProofStatusView;
  totalEntries: number;
  totalParticipants: number;
  verificationHash?: string | null;
  /** The version of what the raffle says that promises the prize: the text whose SHA-256 the announcement has. Null where an
    additional drawing names a prize of its own. */
  version: string | null;
  /** The hash of all weights. */
  weightsHash: string;
  winner?: ProvenLeafView | null;
  /** The last four digits of the winner's phone number. */
  winnerLast4?: string | null;
  winningEntryNumber?: number | null;
};
export type PaletteView =
  "clay" | "mint" | "tomato" | "lagoon" | "plum" | "honey" | "slate" | "rose";
export type SceneView =
  | "tool-bag"
  | "cocktail"
  | "kitchen-herbs"
  | "starter-kit"
  | "gift-box"
  | "set-table"
  | "summer-basket";
export type RafflePictureView = {
  /** What the upload shows, for who cannot see it. */
  alt: string;
  /** What is shown without an upload. */
  scene: SceneView;
  /** The SHA-256 of the uploaded picture. */
  upload: string | null;
};
export type RaffleStatusView = "draft" | "open" | "closed";
export type WaitingVersionView = {
  /** The number of the version. */
  number: number;
  /** From when on it counts. */
  takesEffectAt: string;
};
export type RaffleCardView = {
  landingPage: LandingPageView;
  /** What can be won, as its pages say it. */
  name: string;
  /** Its number, which is used once. */
  number: number;
  palette: PaletteView;
  picture: RafflePictureView;
  status: RaffleStatusView;
  /** The heading of its page. */
  title: string;
  /** The number of the version in force. */
  version: number | null;
  waitingVersion: WaitingVersionView | null;
};
export type PublicRafflesView = {
  raffles: RaffleCardView[];
};
export type KitPartView = {
  /** A line about it. */
  detail: string;
  item: string;
  /** What it is worth at retail; 0 while a draft does not say it. */
  valueInCents: number;
};
export type ShareTextsView = {
  emailBody: string;
  emailSubject: string;
  textBody: string;
};
export type TotalValueView = {
  /** Whole dollars; 0 while a draft does not say it. */
  dollars: number;
  /** Whether a plus sign follows them. */
  orMore: boolean;
};
export type ContentView = {
  /** What the prize is. It may have line breaks. */
  description: string;
  /** The parts of the prize. */
  kit: KitPartView[];
  /** The page's description in search results. */
  metaDescription: string;
  /** The page's title in browsers and search results, without the name of the site. */
  metaTitle: string;
  /** The prize's name, as shown in drawings, texts and the rules. */
  name: string;
  palette: PaletteView;
  picture: RafflePictureView;
  share: ShareTextsView;
  /** Whether the sign-up page says when the next drawing is. */
  showsNextDrawing: boolean;
  /** The heading for who has entered. */
  successTitle: string;
  /** The line below the heading. */
  tagline: string;
  /** The page's heading. */
  title: string;
  totalValue: TotalValueView;
};
export type PublicRaffleView = RaffleCardView & {
  content: ContentView;
};
export const {
  useListDrawingsQuery,
  useGetDrawingFeedQuery,
  useGetDrawingLogQuery,
  useGetPublicDrawingQuery,
  useBringRoundMutation,
  useGetOwnLeafQuery,
  useGetDrawingProofQuery,
  useListPublicRafflesQuery,
  useGetPublicRaffleQuery,
  useGetRaffleVersionQuery,
} = injectedRtkApi;
