import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach } from 'vitest';
import type { PackageView } from '../../console/api/admin';
import { server } from '../server';
import { aPackage, someSettings } from './builders';
import { adminCall } from './handlers';

export const TAB = '?section=analytics&tab=pricing';

/** What the server answers from; a test may change it. */
export const stored = { packages: [] as PackageView[], showPricing: false };

export const offering = (publishableKey: string | null) =>
  http.get('*/api/entry-packages', () =>
    HttpResponse.json({ packages: [], showPricing: stored.showPricing, publishableKey }),
  );

/** Every test begins with one package, and prices that are not shown. */
export function installPricing() {
  beforeEach(() => {
    stored.packages = [aPackage()];
    stored.showPricing = false;
    server.use(
      offering('pk_test_1'),
      adminCall('get', 'entry-packages', () => ({ packages: stored.packages })),
      adminCall('get', 'settings', () => ({
        settings: someSettings({ showPricing: stored.showPricing }),
      })),
    );
  });
}

export const table = () => screen.findByRole('table', { name: /What users can buy/ });
