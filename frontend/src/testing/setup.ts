import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { nameRaffles } from '../console/lib/raffles';
import { fourRaffles } from './console/builders';
import { server } from './server';

// A request that no test expects is a fault of the test or of the page.
// As the shell of the console does before it shows a screen.
beforeEach(() => nameRaffles(fourRaffles()));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
