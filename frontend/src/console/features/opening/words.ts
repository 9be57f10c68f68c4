import type { PermissionView } from '../../api/me';
import type { OpeningCheckNameView, OpeningCheckView, OpeningStateView } from '../../api/admin';

interface Words {
  title: string;
  /** The screen on which it is done. The others are settings of the server. */
  screen?: { change: Record<string, string>; label: string; needs?: PermissionView };
}

export const words: Record<OpeningCheckNameView, Words> = {
  texts: {
    title: 'Texts',
    screen: { change: { section: 'settings' }, label: 'Open Settings', needs: 'manage_settings' },
  },
  payments: {
    title: 'Payments',
    screen: { change: { section: 'analytics', tab: 'pricing' }, label: 'Open Pricing Control' },
  },
  sponsor: { title: 'Sponsor and contact' },
  beacon: { title: 'Randomness beacon' },
  drawing: {
    title: 'Next drawing',
    screen: { change: { section: 'drawing' }, label: 'Open Drawing' },
  },
  rules: { title: 'Official rules' },
};

export const stateWords: Record<OpeningStateView, { word: string; tone: 'good' | 'warn' | 'bad' }> =
  {
    ready: { word: 'Ready', tone: 'good' },
    warning: { word: 'Can wait', tone: 'warn' },
    missing: { word: 'Missing', tone: 'bad' },
  };

export const missingOf = (checks: OpeningCheckView[] | undefined) =>
  (checks ?? []).filter(({ state }) => state === 'missing');
