import { useListPeopleQuery, useListPersonTagsQuery } from '../../api/people';
import { raffleKeys, raffleNames } from '../../lib/raffles';
import { fieldError } from '../../lib/fieldError';
import { useDebounced } from '../../lib/useDebounced';
import { anyText, useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { QueryLink } from '../../ui/QueryLink';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/states';
import { peopleColumns } from './peopleColumns';

const flagNames = { true: 'Flagged', false: 'Not flagged' };

/** Everybody who entered, newest first. */
export function PeopleList() {
  const list = useListState({
    filters: {
      landingPage: raffleKeys(),
      flagged: Object.keys(flagNames),
      tag: anyText,
      search: anyText,
    },
  });
  const { limit, offset } = list;
  const { search: typed, flagged, ...others } = list.filters;
  const query = useDebounced(typed);
  const found = useListPeopleQuery(
    {
      ...others,
      ...(query && { query }),
      ...(flagged && { flagged: flagged === 'true' }),
      limit,
      offset,
    },
    { refetchOnMountOrArgChange: true }, // people enter at any time
  );
  const isNoQuery = fieldError(found.error, 'query') !== undefined;
  const mayImport = useMay('import_people');
  return (
    <>
      <header className="screen-head">
        <h1>People</h1>
        {mayImport && (
          <QueryLink change={{ section: 'people', view: 'import' }} clear>
            Import people
          </QueryLink>
        )}
      </header>
      <DataList
        title="Everybody who entered"
        note={
          found.data && !found.data.isTotalExact
            ? 'Newest first. More than 1,000 match; search to find one of them.'
            : 'Newest first.'
        }
        filters={
          <>
            <SearchField
              label="Find a number, its last 4 digits, a code or an ID"
              maxLength={80}
              list={list}
            />
            <FilterSelect
              label="Flag"
              name="flagged"
              all="Flagged or not"
              options={flagNames}
              list={list}
              error={found.error}
            />
            <FilterSelect
              label="Landing page"
              name="landingPage"
              all="All landing pages"
              options={raffleNames()}
              list={list}
              error={found.error}
            />
            <TagFilter list={list} error={found.error} />
          </>
        }
        query={found}
        pageOf={({ people, total }) => ({ rows: people, total })}
        list={list}
        label="people"
        empty={<EmptyState title="Nobody has entered yet">Whoever enters appears here.</EmptyState>}
        unsearchable={isNoQuery && 'Search by number, its last 4 digits, referral code or ID.'}
        caption="Who entered, with their entries and tags"
        columns={peopleColumns}
        rowKey={({ id }) => id}
      />
    </>
  );
}

/** Only there once somebody has a tag. */
function TagFilter({ list, error }: { list: ReturnType<typeof useListState>; error: unknown }) {
  const { data } = useListPersonTagsQuery(undefined, { refetchOnMountOrArgChange: true });
  const chosen = list.filters.tag;
  const tags = new Set([...(data?.tags ?? []), ...(chosen ? [chosen] : [])]);
  if (tags.size === 0) return null;
  return (
    <FilterSelect
      label="Tag"
      name="tag"
      all="Any tag"
      options={Object.fromEntries([...tags].sort().map((tag) => [tag, tag]))}
      list={list}
      error={error}
    />
  );
}
