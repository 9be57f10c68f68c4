/** Keeps the place of what is behind "Your data" until it is there, so that nothing moves then. */
export function DataWaiting() {
  return (
    <div role="status">
      <span className="unseen">Loading...</span>
      <div className="data-body data-waiting" aria-hidden="true">
        <div className="data-part">
          <p>A ZIP file with all that we store about you.</p>
          <div className="problem" />
          <span className="button quiet">Get a copy of your data</span>
        </div>
        <div className="data-part">
          <p>
            Lost a phone, or entered on one that is not yours? Sign out all browsers but this one:
            they no longer show your number, your settings or your data.
          </p>
          <p className="note" />
          <div className="problem" />
          <span className="button quiet">Sign out other browsers</span>
        </div>
        <div className="data-part">
          <p>Leave the raffle and delete your data. We'll show you what that means first.</p>
          <span className="button quiet">Delete my entry and data</span>
        </div>
      </div>
    </div>
  );
}
