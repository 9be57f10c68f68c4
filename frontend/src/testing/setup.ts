import { afterAll, afterEach, beforeAll } from 'vitest';
import { server } from './server';

// A request that no test expects is a fault of the test or of the page.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
