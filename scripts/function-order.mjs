// Writes crates/app/function-order.gz, from which scripts/linker.sh knows how to arrange the program: the functions that a start
// of the server calls, then the others that page views and sign-ups call. `make function-order` runs it; it needs valgrind.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { PAGES, enter, postViews } from './lab/bench/load.mjs';
import { referralCodes, seedEntrants } from './lab/bench/seed.mjs';
import { TOMBOLA, hashedPassword, startServer } from './lab/bench/server.mjs';
import { bench, makeDatabase, run, say } from './lab/bench/tools.mjs';

const LIST = 'crates/app/function-order.gz';
/** Long enough that everything that happens once a minute has happened. */
const IDLE_MS = 65_000;
const LOAD_SECONDS = 20;

/** The symbols in a file of callgrind. After a quote, a symbol has the depth of its recursion. */
function symbolsOf(profile) {
  const names = [...profile.matchAll(/^c?fn=(.*)$/gm)].map(([, name]) => name.replace(/'\d+$/, ''));
  return new Set(names);
}

/** The symbols of the functions that a server calls while it starts and `work` is done. */
async function called(database, work) {
  const folder = mkdtempSync(join(tmpdir(), 'function-order-'));
  const [program, profile] = [join(folder, 'tombola'), join(folder, 'profile')];
  writeFileSync(program, `#!/bin/sh\nexec valgrind --quiet --tool=callgrind --callgrind-out-file=${profile} --compress-strings=no --demangle=no ${TOMBOLA} "$@"\n`);
  chmodSync(program, 0o755);
  try {
    const server = await startServer(database, hashedPassword(), program);
    try {
      await work(server);
    } finally {
      await server.stop();
    }
    return symbolsOf(readFileSync(profile, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function symbolsOfProgram() {
  const symbols = run('nm', ['--defined-only', TOMBOLA]).split('\n').map((line) => line.split(' ')[2]);
  if (!symbols.includes('main')) throw new Error(`${TOMBOLA} has no symbols; \`make function-order\` builds it with them`);
  return symbols;
}

/** The names of those of the program's symbols that a profile has. */
function namesOf(program, profile) {
  const input = program.filter((symbol) => profile.has(symbol)).join('\n');
  const names = run('scripts/function-names.sh', [], { input: `${input}\n`, stdio: 'pipe' }).trim().split('\n');
  return [...new Set(names)].toSorted();
}

async function main() {
  const program = symbolsOfProgram();
  const database = makeDatabase('function_order');
  seedEntrants(database, { entrants: 1000 });
  database.codes = referralCodes(database, 200);
  say('a start');
  const start = namesOf(program, await called(database, () => delay(IDLE_MS)));
  say('page views and sign-ups');
  const load = namesOf(program, await called(database, async (server) => {
    await postViews(database, server, PAGES, LOAD_SECONDS);
    await enter(database, server, 32, LOAD_SECONDS);
  }));
  const order = [...new Set([...start, ...load])];
  writeFileSync(LIST, gzipSync(`${order.join('\n')}\n`, { level: 9 }));
  console.log(`${LIST}: ${start.length} functions of a start, ${order.length - start.length} more of requests`);
  database.drop();
}

await bench(main);
