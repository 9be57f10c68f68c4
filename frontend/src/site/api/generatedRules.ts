import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getRules: build.query<GetRulesApiResponse, GetRulesApiArg>({
      query: () => ({ url: `/api/rules` }),
    }),
    getRulesVersion: build.query<
      GetRulesVersionApiResponse,
      GetRulesVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/rules/${encodeURIComponent(String(queryArg.version))}`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type GetRulesApiResponse = /** status 200 undefined */ CurrentRulesView;
export type GetRulesApiArg = void;
export type GetRulesVersionApiResponse = /** status 200 undefined */ RulesView;
export type GetRulesVersionApiArg = {
  /** The number of a version, or a month */
  version: string;
};
export type RulesVersionView = {
  /** When it was stored. */
  createdAt: string;
  /** The first month for which it counts. */
  fromPeriod: string;
  /** The SHA-256 of the bytes of its text in UTF-8, in hexadecimal digits. */
  hash: string;
  /** Its number, from 1. */
  version: number;
};
export type RulesView = RulesVersionView & {
  /** Paragraphs that an empty line separates. One that begins with `#` or `##` is a heading; each line of a list begins with
    `-`. */
  text: string;
};
export type KitPartView = {
  /** A line about it. */
  detail: string;
  item: string;
  /** What it is worth at retail; 0 while a draft does not say it. */
  valueInCents: number;
};
export type FullPrizeView = {
  kit: KitPartView[];
  name: string;
  /** What it is worth at retail. */
  value: string;
  /** The version of the raffle's content that promises it. */
  version: number | null;
};
export type DrawingStatusView = "announced" | "sealed" | "drawn" | "void";
export type AnnouncedDrawingView = {
  id: number;
  status: DrawingStatusView;
};
export type LandingPageView = string;
export type NextPrizeView = FullPrizeView & {
  /** From when on it counts. */
  countsFrom: string;
};
export type PromisedPrizeView = FullPrizeView & {
  /** Since when the version counts that promises it. */
  countsFrom: string;
  /** Entries from before this time take part. `null` while staff have not announced the drawing, and where its announcement
    names no time: entries count until the list is frozen. */
  cutOff: string | null;
  drawing: AnnouncedDrawingView | null;
  landingPage: LandingPageView;
  next: NextPrizeView | null;
  /** The month that the drawing belongs to. */
  period: string;
};
export type CurrentRulesView = RulesView & {
  /** What can be won in each raffle that is open or still has a regular drawing to come, in the order in which raffles are
    shown. */
  prizes: PromisedPrizeView[];
  /** All versions, the newest first. Those that begin with a later month do not count yet. */
  versions: RulesVersionView[];
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
export const { useGetRulesQuery, useGetRulesVersionQuery } = injectedRtkApi;
