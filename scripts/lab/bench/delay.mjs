// A network between the benchmarks and PostgreSQL that takes its time: a program that forwards each piece of data a millisecond
// after it came. The kernel could do this for less (tc with netem), but it often lacks netem, as in containers and small machines.
// It runs in a process of its own, whose processor time the server and pgbench pay alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Opens the way to the server of a database URL. Each round trip takes about `milliseconds` longer. */
export async function openDelay(databaseUrl, milliseconds) {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const socket = searchParams.get('host');
  const target = socket ? { path: `${socket}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port || 5432) };
  const child = fork(new URL(import.meta.url), [JSON.stringify({ target, milliseconds })]);
  const [own] = await once(child, 'message');
  return {
    means: 'by a forwarding program',
    /** A URL with this user to this database, over the delay. */
    url: (user, database) => {
      const url = new URL(user);
      url.pathname = new URL(database).pathname;
      url.searchParams.delete('host');
      url.hostname = '127.0.0.1';
      url.port = own;
      return url.href;
    },
    close: async () => { child.kill(); await once(child, 'exit'); },
  };
}

function forward(from, to, milliseconds) {
  from.on('data', (data) => (milliseconds ? setTimeout(() => to.writable && to.write(data), milliseconds) : to.write(data)));
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}

if (process.send) {
  const { target, milliseconds } = JSON.parse(process.argv[2]);
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target);
    forward(near, far, milliseconds);           // the whole delay on the way there
    forward(far, near, 0);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}
