#include "serve.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "measure.h"
#include "operand.h"
#include "operation.h"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace ddx::bench {
namespace {

nlohmann::json described(const Operation& operation) {
  nlohmann::json operands = nlohmann::json::array();
  for (const Operand& operand : operation.operands) {
    const auto extents = operand.shape.extents();
    operands.push_back({{"shape", std::vector<std::int64_t>(extents.begin(), extents.end())},
                        {"low", operand.low},
                        {"high", operand.high},
                        {"index", operand.index}});
  }
  return {{"name", operation.name}, {"shapes", operation.shapes()}, {"operands", operands}};
}

void write_elements(const Prepared& prepared) {
  const std::vector<float> elements = prepared.elements();
  std::cout << elements.size() << '\n';
  std::cout.write(reinterpret_cast<const char*>(elements.data()),
                  static_cast<std::streamsize>(elements.size() * sizeof(float)));
}

}  // namespace

void serve() {
  const std::vector<Operation> all = operations();
  nlohmann::json list = nlohmann::json::array();
  for (const Operation& operation : all) {
    list.push_back(described(operation));
  }
  std::cout << list.dump() << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command;
    std::size_t which = 0;
    words >> command >> which;
    double seconds = 0;
    int samples = 0;
    const bool timed = command == "time" && words >> seconds >> samples;
    if (which >= all.size() || !(timed || command == "elements")) {
      throw UsageError("serve", "'" + line + "' is no command");
    }
    const Prepared prepared = all[which].prepare(Device::cpu());
    if (timed) {
      std::cout << nlohmann::json(times_of(prepared, seconds, samples)).dump() << '\n';
    } else {
      write_elements(prepared);
    }
    std::cout.flush();
  }
}

}  // namespace ddx::bench
