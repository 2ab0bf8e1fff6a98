// Entry of a lazily loaded module: the dialog that shares a change.

import { ShareDialog } from "../shared/share/share.js";

export default ShareDialog;
