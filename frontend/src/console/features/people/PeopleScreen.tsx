import { useQueryState } from '../../lib/useQueryState';
import { PeopleList } from './PeopleList';
import { PersonFile } from './PersonFile';

/** Everybody who entered, or one of them: which one stands in the address. */
export function PeopleScreen() {
  const [query] = useQueryState();
  const person = Number(query.get('person'));
  return person > 0 ? <PersonFile key={person} id={person} /> : <PeopleList />;
}
