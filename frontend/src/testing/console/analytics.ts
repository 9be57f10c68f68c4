import { screen } from '@testing-library/react';
import { aDashboard } from './builders';
import { adminCall } from './handlers';

export const dashboardIs = (changes: Parameters<typeof aDashboard>[0]) =>
  adminCall('get', 'analytics/dashboard', () => aDashboard(changes));

export const table = (name: string | RegExp) => screen.findByRole('table', { name });
