import { useQueryState } from '../../lib/useQueryState';
import { Allowed } from '../../ui/Allowed';
import { ImportPeople } from './ImportPeople';
import { PeopleList } from './PeopleList';
import { PersonFile } from './PersonFile';

/** Everybody who entered, one of them, or an import: which one stands in the address. */
export function PeopleScreen() {
  const [query] = useQueryState();
  const person = Number(query.get('person'));
  if (query.get('view') === 'import') {
    return (
      <Allowed needs="import_people" heading="h1">
        <ImportPeople />
      </Allowed>
    );
  }
  return person > 0 ? <PersonFile key={person} id={person} /> : <PeopleList />;
}
