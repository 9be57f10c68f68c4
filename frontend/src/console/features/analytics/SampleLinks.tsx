import { useGetDashboardQuery, type DashboardView } from '../../api/admin';
import { Card } from '../../ui/Card';
import { NewTabLink } from '../../ui/NewTabLink';
import { EmptyState, QueryView } from '../../ui/states';

/** Links as entrants share them, with a code that works. */
export function SampleLinks() {
  const dashboard = useGetDashboardQuery();
  return (
    <Card
      title="Sample referral links"
      note="What a friend sees after opening a shared link. Opening one counts as a page view."
    >
      <QueryView query={dashboard} quiet>
        {(data) => <Links code={sampleCode(data)} pages={data.landingPageStats} />}
      </QueryView>
    </Card>
  );
}

function sampleCode({ topReferrers, referralFunnel }: DashboardView): string | undefined {
  return topReferrers[0]?.referralCode ?? referralFunnel[0]?.referralCode;
}

interface LinksProps {
  code: string | undefined;
  pages: DashboardView['landingPageStats'];
}

function Links({ code, pages }: LinksProps) {
  if (!code) {
    return (
      <EmptyState title="No referral code yet">
        The links appear once the first person enters, because they contain that person's code.
      </EmptyState>
    );
  }
  return (
    <ul className="links">
      {pages.map(({ landingPage }) => (
        <li key={landingPage}>
          <NewTabLink href={`/${landingPage}/ref/${encodeURIComponent(code)}`}>
            <span className="code">{`/${landingPage}/ref/${code}`}</span>
          </NewTabLink>
        </li>
      ))}
    </ul>
  );
}
