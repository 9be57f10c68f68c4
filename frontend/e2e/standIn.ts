import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface StandIn<Answer> {
  url: string;
  /** `/control` of the stand-in: what people, networks and tests may do. */
  control: (path: string, body?: object) => Promise<Answer>;
  stop: () => Promise<void>;
}

/** A program that stands in for a provider's API, and asks nobody outside of this machine. */
export async function startStandIn<Answer>(
  binary: string,
  args: string[] = [],
): Promise<StandIn<Answer>> {
  const child = spawn(resolve(binary), args, { stdio: ['ignore', 'pipe', 'ignore'] });
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
