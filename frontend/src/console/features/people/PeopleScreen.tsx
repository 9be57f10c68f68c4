import { useQueryState } from '../../lib/useQueryState';
import { ImportPeople } from './ImportPeople';
import { PeopleList } from './PeopleList';
import { PersonFile } from './PersonFile';

/** Everybody who entered, one of them, or an import: which one stands in the address. */
export function PeopleScreen() {
  const [query] = useQueryState();
  const person = Number(query.get('person'));
  if (query.get('view') === 'import') return <ImportPeople />;
  return person > 0 ? <PersonFile key={person} id={person} /> : <PeopleList />;
}
