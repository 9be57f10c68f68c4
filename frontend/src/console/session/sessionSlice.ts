import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Why the login form is shown without a logout on this page. */
export type SignedOutNotice =
  'ended' | 'elsewhere' | 'unreachable' | 'invited' | 'passwordChanged' | 'everywhere';

export interface Session {
  token: string | null;
  /**
   * A stored token is only believed once the server has answered to it. `ended`: the console stays on screen
   * with what was typed, covered, until the next login.
   */
  status: 'checking' | 'open' | 'ended' | 'closed';
  notice: SignedOutNotice | null;
  /** Who is about to sign in, where that is known. */
  name: string;
  /** The server answers nothing else before a second factor is set up. */
  needsSecondFactor: boolean;
}

const closed: Session = {
  token: null,
  status: 'closed',
  notice: null,
  name: '',
  needsSecondFactor: false,
};

const isOnScreen = ({ status }: Session) => status === 'open' || status === 'ended';

export const sessionSlice = createSlice({
  name: 'session',
  initialState: closed,
  reducers: {
    /** A token of an earlier visit or another tab. What is on screen stays; if it is refused, that is `ended`. */
    restored: (state, { payload: token }: PayloadAction<string>): Session => ({
      ...closed,
      token,
      status: isOnScreen(state) ? 'open' : 'checking',
    }),
    opened: (_, { payload: token }: PayloadAction<string>): Session => ({
      ...closed,
      token,
      status: 'open',
    }),
    confirmed: (state) => {
      if (state.status === 'checking') state.status = 'open';
    },
    /** The session ended without a logout on this page. */
    ended: (state, { payload: notice }: PayloadAction<SignedOutNotice>): Session => ({
      ...closed,
      status: isOnScreen(state) ? 'ended' : 'closed',
      notice,
    }),
    closed: (_, { payload: notice }: PayloadAction<SignedOutNotice | null>): Session => ({
      ...closed,
      notice,
    }),
    /** Somebody has a new password, and signs in with it. */
    renewed: (
      _,
      { payload }: PayloadAction<{ notice: SignedOutNotice; name: string }>,
    ): Session => ({ ...closed, ...payload }),
    secondFactorAsked: (state) => {
      state.needsSecondFactor = true;
    },
    secondFactorSet: (state) => {
      state.needsSecondFactor = false;
    },
  },
});

export interface SessionState {
  session: Session;
}
