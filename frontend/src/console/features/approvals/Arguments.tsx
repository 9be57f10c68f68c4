import type { ArgumentView } from '../../api/staff';
import { inWords } from '../../../shared/lib/format';
import { formatPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';

/** With what a call is made. */
export function Arguments({ list }: { list: ArgumentView[] }) {
  const shown = list.filter(({ name }) => name !== 'idempotencyKey'); // of no use to people
  if (shown.length === 0) return null;
  return (
    <dl className="proposal-arguments">
      {shown.map((argument) => {
        const [name, value] = wordsOf(argument);
        return (
          <div key={argument.name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function wordsOf({ name, value }: ArgumentView): [string, string] {
  if (name === 'landingPage') return ['Raffle', raffleName(value)];
  if (name === 'landingPages') return ['Raffles', value];
  if (name === 'sha256') return ['SHA-256', value];
  if (name === 'phoneNumber') return ['Phone number', formatPhone(value)];
  return [inWords(name), value];
}
