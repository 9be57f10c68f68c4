import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** What the payer's browser and bank do with an intent, as the provider answers it. */
export interface Intent {
  status: string;
  last_payment_error?: object | null;
}
export type Answer = Intent | { error: object };

export interface Provider {
  url: string;
  /** `/control` of the stand-in (crates/stripe-stand-in): what a payer, a bank and a test may do. */
  control: (path: string, body?: object) => Promise<Answer>;
  stop: () => Promise<void>;
}

/** The stand-in for the provider's API, which asks nobody outside of this machine. */
export async function startProvider(webhookSecret: string): Promise<Provider> {
  const binary = resolve(process.env.STRIPE_STAND_IN_BIN ?? '../target/debug/stripe-stand-in');
  const child = spawn(binary, ['--webhook-secret', webhookSecret], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
  const lines = createInterface(child.stdout);
  const [url] = (await Promise.race([once(lines, 'line'), failed])) as [string];
  failed.catch(() => undefined);
  return {
    url,
    control: async (path, body = {}) => {
      const response = await fetch(`${url}/control/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return (await response.json()) as Answer;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
