import { configureStore } from '@reduxjs/toolkit';
import { baseApi } from '../api/baseApi';

export function makeStore() {
  return configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
}
