import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDataRequests: build.query<
      ListDataRequestsApiResponse,
      ListDataRequestsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/data-requests`,
      }),
    }),
    createDataRequest: build.mutation<
      CreateDataRequestApiResponse,
      CreateDataRequestApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/data-requests`,
        method: "POST",
        body: queryArg.dataRequestBody,
      }),
    }),
    listPaidPurchases: build.query<
      ListPaidPurchasesApiResponse,
      ListPaidPurchasesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/purchases`,
      }),
    }),
    getReceipt: build.query<GetReceiptApiResponse, GetReceiptApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/purchases/${encodeURIComponent(String(queryArg.purchaseId))}/receipt`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ListDataRequestsApiResponse =
  /** status 200 undefined */ DataRequestsView;
export type ListDataRequestsApiArg = {
  id: number;
};
export type CreateDataRequestApiResponse =
  /** status 201 The answer sets the cookie of the browser that asked for a code */ DataRequestView;
export type CreateDataRequestApiArg = {
  id: number;
  dataRequestBody: DataRequestBody;
};
export type ListPaidPurchasesApiResponse =
  /** status 200 undefined */ PaidPurchasesView;
export type ListPaidPurchasesApiArg = {
  id: number;
};
export type GetReceiptApiResponse = /** status 200 undefined */ ReceiptView;
export type GetReceiptApiArg = {
  /** The entrant. */
  id: number;
  /** The purchase. */
  purchaseId: number;
};
export type DataRequestTypeView = "export" | "erasure";
export type DataRequestStatusView =
  "pending" | "completed" | "failed" | "expired";
export type AwaitedCodeView = {
  /** The same in seconds from now on, for a browser whose clock is wrong. */
  expiresAfter: number;
  /** From when on the code is no longer valid. */
  expiresAt: string;
  /** After how many seconds another code can be sent. */
  resendAfter: number;
  /** Whether the provider said that no text can reach the number. */
  undeliverable: boolean;
};
export type DataVerificationView = AwaitedCodeView & {
  /** The `verificationId` of `POST /api/users/verify`. */
  id: string;
};
export type DataRequestView = {
  completedAt: string | null;
  createdAt: string;
  /** Until when the code counts, or the link works. */
  expiresAt: string | null;
  /** The path of a completed export that has not expired. In a list, only of one that whoever reads asked for; staff see it
    once, when they make the copy. */
  fileUrl: string | null;
  id: number;
  requestType: DataRequestTypeView;
  status: DataRequestStatusView;
  verification: DataVerificationView | null;
};
export type DataRequestsView = {
  /** Newest first. */
  requests: DataRequestView[];
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
export type DataRequestBody = {
  /** A copy of everything, or the deletion of everything that says who the person is. */
  requestType: DataRequestTypeView;
};
export type PaidPurchaseView = {
  /** The price, in cents. */
  amount: number;
  /** When it was begun. */
  createdAt: string;
  entriesAdded: number;
  id: number;
  /** `completed`, `refunding` or `refunded`. */
  status: string;
};
export type PaidPurchasesView = {
  /** Newest first, at most a hundred. */
  purchases: PaidPurchaseView[];
};
export type ReceiptView = {
  /** Its address, which works for a month. */
  url: string;
};
export const {
  useListDataRequestsQuery,
  useCreateDataRequestMutation,
  useListPaidPurchasesQuery,
  useGetReceiptQuery,
} = injectedRtkApi;
