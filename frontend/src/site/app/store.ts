import { configureStore } from '@reduxjs/toolkit';
import { baseApi } from '../api/baseApi';
import { toastSlice } from '../../shared/ui/toast/toastSlice';

export function makeStore() {
  return configureStore({
    reducer: {
      [baseApi.reducerPath]: baseApi.reducer,
      [toastSlice.name]: toastSlice.reducer,
    },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
}

export type Store = ReturnType<typeof makeStore>;
