import { adminApi as api } from "./adminApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getMe: build.query<GetMeApiResponse, GetMeApiArg>({
      query: () => ({ url: `/api/admin/me` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type GetMeApiResponse = /** status 200 undefined */ OwnAccountView;
export type GetMeApiArg = void;
export type PermissionView =
  | "own_account"
  | "view_figures"
  | "view_people"
  | "edit_people"
  | "decide_appeals"
  | "view_claims"
  | "follow_up_claims"
  | "decide_claims"
  | "manage_flags"
  | "mark_duplicates"
  | "import_people"
  | "erase_people"
  | "manage_drawings"
  | "manage_raffles"
  | "manage_texts"
  | "manage_packages"
  | "view_sales"
  | "manage_settings"
  | "export_lists"
  | "view_audit_log"
  | "view_approvals"
  | "approve"
  | "view_claim_details"
  | "save_credentials"
  | "clear_data"
  | "withdraw_pictures"
  | "manage_staff";
export type StaffRoleView = "owner" | "manager" | "support" | "viewer";
export type TotpView = {
  /** Whether signing in needs a code. */
  enabled: boolean;
  recoveryCodesLeft: number;
  /** Whether the role must have one. */
  required: boolean;
};
export type OwnAccountView = {
  /** Whether the name and the password are set on the server. */
  environment: boolean;
  id: number;
  name: string;
  /** What the role may do. */
  permissions: PermissionView[];
  role: StaffRoleView;
  /** Until when the code that was given last counts for what needs one. */
  stepUpUntil: string | null;
  totp: TotpView;
  /** Whether somebody else must approve what one person should not do alone. */
  twoPerson: boolean;
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
export const { useGetMeQuery } = injectedRtkApi;
