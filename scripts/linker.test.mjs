import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const SOURCE = `
#[inline(never)] pub fn first<T: std::fmt::Debug>(value: T) { println!("{value:?}") }
#[inline(never)] pub fn second<T: std::fmt::Debug>(value: T) { println!("{value:?}!") }
fn main() { first(1_u8); first("one"); second(2_u8); second("two") }
`;
const MINE = /tombola_program::(first|second)::<.*>$/;
const run = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], ...options });
const skip = !/x86_64.*linux-gnu/.test(run('rustc', ['-vV'])) && 'this compiler does not link with lld';

describe('the linker of optimized builds', { skip }, () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'linker-'));
    mkdirSync(join(folder, 'release/deps'), { recursive: true });
    writeFileSync(join(folder, 'main.rs'), SOURCE);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Builds the source with the list, and returns the program and its own functions by their place in it. */
  function build(list, environment = {}) {
    const program = join(folder, 'release/deps/tombola-test');
    writeFileSync(join(folder, 'list.gz'), gzipSync(`${list.join('\n')}\n`));
    const flags = ['-Copt-level=3', '-Cstrip=symbols', '-Csymbol-mangling-version=v0', '-Clinker=scripts/linker.sh', '--crate-name=tombola_program'];
    run('rustc', [...flags, '-o', program, join(folder, 'main.rs')], { env: { ...process.env, FUNCTION_ORDER: join(folder, 'list.gz'), ...environment } });
    const symbols = run('sh', ['-c', `nm -n ${program} 2>/dev/null | awk '{ print $3 }' | scripts/function-names.sh`]).split('\n');
    return { program, functions: symbols.filter((name) => MINE.test(name)).map((name) => name.replace('tombola_program::', '')) };
  }

  const wanted = ['second::<&str>', 'first::<u8>', 'second::<u8>', 'first::<&str>'];
  const list = ['a::function::<that> is not there', ...wanted.map((name) => `tombola_program::${name}`)];

  test('the functions of the list are in its order, each with its types', () => {
    assert.deepEqual(build(list, { KEEP_SYMBOLS: '1' }).functions, wanted);
    assert.deepEqual(build(list.toReversed(), { KEEP_SYMBOLS: '1' }).functions, wanted.toReversed());
  });

  test('the program runs, and has no symbols unless they are kept', () => {
    const { program, functions } = build(list);
    assert.deepEqual(functions, []);
    assert.equal(run(program, []), '1\n"one"\n2!\n"two"!\n');
  });

  test('other programs are linked as usual', () => {
    const program = join(folder, 'other');
    run('rustc', ['-Clinker=scripts/linker.sh', '-o', program, join(folder, 'main.rs')], { env: { ...process.env, FUNCTION_ORDER: '/nonexistent' } });
    assert.equal(run(program, []), '1\n"one"\n2!\n"two"!\n');
  });

  test('a list that cannot be read fails the build', () => {
    assert.throws(() => build(list, { FUNCTION_ORDER: join(folder, 'missing.gz') }), /missing\.gz/);
  });
});
