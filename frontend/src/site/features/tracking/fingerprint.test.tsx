import { afterEach, describe, expect, it, vi } from 'vitest';
import { fingerprint } from './fingerprint';

describe('the fingerprint', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const ofScreen = (width: number, height: number) => {
    vi.stubGlobal('screen', { width, height, colorDepth: 24 });
    return fingerprint();
  };

  it('is a SHA-256 in hex, the same each time', async () => {
    expect(await fingerprint()).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprint()).toBe(await fingerprint());
  });

  it('does not change when the phone is turned, and is another for another screen', async () => {
    expect(await ofScreen(390, 844)).toBe(await ofScreen(844, 390));
    expect(await ofScreen(390, 844)).not.toBe(await ofScreen(1280, 800));
  });

  it('is a shorter hash where the browser has no digests', async () => {
    vi.stubGlobal('crypto', { subtle: undefined });
    expect(await fingerprint()).toMatch(/^[0-9a-f]{8}$/);
    expect(await ofScreen(390, 844)).not.toBe(await ofScreen(1280, 800));
  });
});
