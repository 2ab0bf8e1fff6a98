// Entry of a lazily loaded module: the explorer with all heads.

import { followDevice } from "../attention/js/controls/presenting.js";
import { Explorer } from "../attention/js/explorer.js";
import { packetOf } from "./desk/view.js";

export default { Explorer, followDevice, packetOf };
