find_package(Ferry REQUIRED)
