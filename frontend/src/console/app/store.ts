import { configureStore } from '@reduxjs/toolkit';
import { adminApi } from '../api/adminApi';
import { markPolls } from '../lib/polls';
import { sessionSlice } from '../session/sessionSlice';

export function makeAdminStore() {
  return configureStore({
    reducer: {
      [adminApi.reducerPath]: adminApi.reducer,
      [sessionSlice.name]: sessionSlice.reducer,
    },
    middleware: (defaults) => defaults().prepend(markPolls).concat(adminApi.middleware),
  });
}

export type AdminStore = ReturnType<typeof makeAdminStore>;
