import type { ApiError } from '../../../../../shared/api/apiError';
import { request, type Call } from '../../../../../shared/api/request';
import type {
  DataRequestsView,
  DataRequestTypeView as RequestType,
  DataRequestView as DataRequest,
} from '../../../../api/generatedData';

export type { DataRequest, RequestType };

/** What a call throws if it failed: an ApiError. */
async function ask<Data>(options: Call): Promise<Data> {
  // Not site/api/call.ts: its words for a code say that nobody is entered twice.
  const { data, error } = await request(options, { headers: window.trackingHeaders ?? {} });
  if (error) throw error as unknown;
  return data as Data;
}

const pathOf = (id: number) => `/api/users/${id}/data-requests`;

export const listRequests = async (id: number): Promise<DataRequest[]> =>
  (await ask<DataRequestsView>({ url: pathOf(id) })).requests;

/** The same again, while a code is awaited, has another one sent. */
export const makeRequest = (id: number, requestType: RequestType): Promise<DataRequest> =>
  ask({ url: pathOf(id), method: 'POST', body: { requestType } });

export const confirmRequest = (verificationId: string, code: string): Promise<DataRequest> =>
  ask({ url: '/api/users/verify', method: 'POST', body: { verificationId, code } });

/** Ends what all other browsers of the entrant may see and do. */
export const signOutOthers = (id: number): Promise<string> =>
  ask({ url: `/api/users/${id}/sign-out-others`, method: 'POST', answers: 'text' });

/** Whether nobody has this id any more. What cannot be asked is not known to be gone. */
export const isGone = (id: number): Promise<boolean> =>
  ask({ url: `/api/users/${id}` }).then(
    () => false,
    ({ status }: ApiError) => status === 404,
  );
