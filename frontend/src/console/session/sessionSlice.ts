import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Why the sign-in form shows to somebody who did not ask for it. */
export type SignedOutNotice = 'ended' | 'elsewhere' | 'unreachable';

interface Session {
  token: string | null;
  /** A stored token is only believed once the server has answered to it. */
  status: 'checking' | 'open' | 'closed';
  notice: SignedOutNotice | null;
}

const closed: Session = { token: null, status: 'closed', notice: null };

export const sessionSlice = createSlice({
  name: 'session',
  initialState: closed,
  reducers: {
    /** A token of an earlier visit or another tab. */
    restored: (_, { payload: token }: PayloadAction<string>): Session => ({
      token,
      status: 'checking',
      notice: null,
    }),
    opened: (_, { payload: token }: PayloadAction<string>): Session => ({
      token,
      status: 'open',
      notice: null,
    }),
    confirmed: (state) => {
      if (state.status === 'checking') state.status = 'open';
    },
    closed: (_, { payload: notice }: PayloadAction<SignedOutNotice | null>): Session => ({
      ...closed,
      notice,
    }),
  },
});

export interface SessionState {
  session: Session;
}
