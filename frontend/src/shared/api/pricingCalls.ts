/** Staff's calls about packages and settings. */
import { api } from './generatedAdmin';

export interface PackageView {
  id: number;
  name: string;
  description: string;
  entries: number;
  entryCount: number;
  price: number;
  priceInCents: number;
  isPopular: boolean;
  isActive: boolean;
  sortOrder: number;
  createdAt: string;
}

export type PackageBody = Pick<
  PackageView,
  'name' | 'description' | 'entries' | 'price' | 'isPopular' | 'isActive' | 'sortOrder'
>;

export interface SettingsView {
  settings: { showPricing: boolean };
}

export interface EntryPackagesView {
  packages: Omit<PackageView, 'isActive' | 'sortOrder'>[];
  showPricing: boolean;
  /** Null while no provider is configured. */
  publishableKey: string | null;
}

const PACKAGES = '/api/admin/entry-packages';
const SETTINGS = '/api/admin/settings';

export const pricingApi = api.injectEndpoints({
  endpoints: (build) => ({
    listEntryPackages: build.query<EntryPackagesView, void>({
      query: () => ({ url: '/api/entry-packages' }),
    }),
    listPackages: build.query<{ packages: PackageView[] }, void>({
      query: () => ({ url: PACKAGES }),
    }),
    createPackage: build.mutation<PackageView, { packageBody: PackageBody }>({
      query: ({ packageBody: body }) => ({ url: PACKAGES, method: 'POST', body }),
    }),
    updatePackage: build.mutation<PackageView, { id: number; packageBody: PackageBody }>({
      query: ({ id, packageBody: body }) => ({ url: `${PACKAGES}/${id}`, method: 'PUT', body }),
    }),
    deletePackage: build.mutation<unknown, { id: number }>({
      query: ({ id }) => ({ url: `${PACKAGES}/${id}`, method: 'DELETE' }),
    }),
    getSettings: build.query<SettingsView, void>({ query: () => ({ url: SETTINGS }) }),
    updateSettings: build.mutation<SettingsView, { settingsBody: SettingsView['settings'] }>({
      query: ({ settingsBody: body }) => ({ url: SETTINGS, method: 'POST', body }),
    }),
  }),
});
