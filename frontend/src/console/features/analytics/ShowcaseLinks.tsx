import { useListRafflesQuery } from '../../api/raffles';
import { planterPath } from '../../lib/raffles';
import { Card } from '../../ui/Card';
import { NewTabLink } from '../../ui/NewTabLink';
import { QueryView } from '../../ui/states';

/** The pages behind the links of texts, with ids that no text has. A draft has none. */
export function ShowcaseLinks() {
  const query = useListRafflesQuery();
  return (
    <Card
      title="Product showcase test links"
      note="What people see after opening the link in a text. Opening one counts as a page view, not as a click."
    >
      <QueryView query={query} quiet>
        {({ raffles }) => (
          <ul className="links">
            {raffles
              .filter(({ status }) => status !== 'draft')
              .map(({ landingPage }) => planterPath(landingPage, 'preview2345'))
              .map((path) => (
                <li key={path}>
                  <NewTabLink href={path}>
                    <span className="code">{path}</span>
                  </NewTabLink>
                </li>
              ))}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}
