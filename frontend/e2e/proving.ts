import { freshServer } from './server';
import { expect } from './test';
import { startTextProvider, textKeys } from './textProvider';

/** Servers on which a number is proved by a code, with the stand-in that takes their texts. */
export async function startProving(settings: Record<string, string> = {}) {
  const provider = await startTextProvider();
  try {
    const server = await freshServer({
      ...textKeys,
      ...settings,
      PHONE_VERIFICATION: 'on',
      TWILIO_API_BASE: provider.url,
    });
    const stop = async () => {
      await server.stop();
      await provider.stop();
    };
    return { origin: server.origin, textsTo: textsAt(provider.url), stop };
  } catch (error) {
    await provider.stop();
    throw error;
  }
}

/** The codes that were texted to a number, oldest first. */
function textsAt(url: string) {
  return async (phone: string): Promise<string[]> => {
    const to = encodeURIComponent(`+1${phone.replace(/\D/g, '')}`);
    const answer = await fetch(`${url}/control/messages?to=${to}`);
    const { messages } = (await answer.json()) as { messages: { body: string }[] };
    return messages.flatMap(({ body }) => /^@\S+ #(\d{6})$/m.exec(body)?.[1] ?? []);
  };
}

export type Proving = Awaited<ReturnType<typeof startProving>>;

let count = 100;
/** A number that can be texted, and that nobody has entered with. */
export const newNumber = () => `(212) 555-${String((count += 1)).padStart(4, '0')}`;

/** The newest of so many codes, once that many have arrived. */
export async function codeFor({ textsTo }: Proving, phone: string, texts = 1): Promise<string> {
  await expect.poll(async () => (await textsTo(phone)).length, { timeout: 30_000 }).toBe(texts);
  return (await textsTo(phone)).at(-1) ?? '';
}
