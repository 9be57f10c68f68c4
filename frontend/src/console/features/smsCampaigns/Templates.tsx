import { useId, useState } from 'react';
import { useListSmsTemplatesQuery, type SmsTemplateView } from '../../api/sms';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { anyText, useListState } from '../../lib/useListState';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { TableNotes } from '../../ui/TableNotes';
import { WholeList } from '../../ui/WholeList';
import { TemplateForm } from './TemplateForm';
import { TemplateItem } from './TemplateItem';

export function Templates() {
  const templates = useListSmsTemplatesQuery();
  const list = useListState({ filters: { search: anyText } });
  const [isAdding, setAdding] = useState(false);
  const part = useKeptFocus();
  return (
    <div className="grid" {...part}>
      {isAdding && (
        <Card title="New template">
          <TemplateForm onClose={() => setAdding(false)} />
        </Card>
      )}
      <WholeList
        title="Templates"
        note="Messages for campaigns, newest first"
        actions={!isAdding && <Button onClick={() => setAdding(true)}>New Template</Button>}
        search={<SearchField label="Find a template" list={list} />}
        query={templates}
        holdsForm
        rowsOf={(answer) => answer.templates}
        list={list}
        empty={
          <EmptyState title="No templates yet">Create one to use it in a campaign.</EmptyState>
        }
        caption="Templates"
        columns={columns}
        rowKey={({ id }) => id}
      >
        {({ rows }) => <Items rows={rows} />}
      </WholeList>
    </div>
  );
}

function Items({ rows }: { rows: SmsTemplateView[] }) {
  const id = useId();
  return (
    <>
      <ul className="sms-templates">
        {rows.map((template) => (
          <TemplateItem key={template.id} template={template} />
        ))}
      </ul>
      <TableNotes id={id} caption="Templates" columns={explained} title="What the terms mean" />
    </>
  );
}

/** What each item shows: a search looks through the values. */
const columns: Column<SmsTemplateView>[] = [
  { key: 'name', header: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
  {
    key: 'raffle',
    header: 'Raffle',
    value: ({ landingPage }) => raffleNames[landingPage],
    cell: ({ landingPage }) => raffleNames[landingPage],
  },
  {
    key: 'words',
    header: 'Message',
    value: ({ messageTemplate }) => messageTemplate,
    cell: ({ messageTemplate }) => messageTemplate,
  },
];

const explained = [
  {
    key: 'segments',
    header: 'Segment',
    help: 'A part of a text. A long text takes several, and the provider charges for each.',
  },
  {
    key: 'encoding',
    header: 'GSM-7, UCS-2',
    help: 'The alphabet of the text. A segment holds 160 characters in GSM-7; characters outside it switch the text to UCS-2, with 70.',
  },
  { key: 'created', header: 'Created', time: true },
];
