import pg from 'pg';
import { freshServer } from './server';
import { test } from './test';

type Server = Awaited<ReturnType<typeof freshServer>> & {
  query: (sql: string) => Promise<Record<string, unknown>[]>;
};

/** For tests that count or clear everything: a server and a database that no other file uses. */
export const testOnOwnServer = (settings: Record<string, string> = {}) =>
  test.extend<object, { own: Server }>({
    own: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
      async ({}, use) => {
        const server = await freshServer(settings);
        const client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
        const query: Server['query'] = async (sql) =>
          (await client.query<Record<string, unknown>>(sql)).rows;
        await use({ ...server, query });
        await client.end();
        await server.stop();
      },
      { scope: 'worker' },
    ],
    baseURL: [({ own }, use) => use(own.origin), { scope: 'test' }],
  });
