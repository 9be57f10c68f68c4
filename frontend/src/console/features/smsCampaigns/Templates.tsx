import { useState } from 'react';
import { useListSmsTemplatesQuery, type SmsTemplateView } from '../../api/sms';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { TemplateForm } from './TemplateForm';
import { TemplateItem } from './TemplateItem';

export function Templates() {
  const templates = useListSmsTemplatesQuery();
  const [isAdding, setAdding] = useState(false);
  const part = useKeptFocus();
  return (
    <div className="grid" {...part}>
      {isAdding && (
        <Card title="New template">
          <TemplateForm onClose={() => setAdding(false)} />
        </Card>
      )}
      <Card
        title="Templates"
        note="The words of a campaign’s texts, the newest first"
        actions={!isAdding && <Button onClick={() => setAdding(true)}>New Template</Button>}
      >
        <QueryView query={templates}>
          {({ templates: rows }) => <TemplateList rows={rows} />}
        </QueryView>
      </Card>
    </div>
  );
}

function TemplateList({ rows }: { rows: SmsTemplateView[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState title="No templates yet">
        Create one, and it is listed here and can be chosen for a campaign.
      </EmptyState>
    );
  }
  return (
    <ul className="sms-templates">
      {rows.map((template) => (
        <TemplateItem key={template.id} template={template} />
      ))}
    </ul>
  );
}
